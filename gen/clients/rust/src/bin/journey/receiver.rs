//! A minimal HTTP server that receives webhooks.

use std::str::FromStr;

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::Sender;

use crate::Failure;

/// The headers of a request and its raw body.
pub type Webhook = (HeaderMap, Vec<u8>);

/// Sends each webhook to the channel.
pub async fn receive(listener: TcpListener, webhooks: Sender<Webhook>) -> Result<(), Failure> {
    loop {
        let (stream, _) = listener.accept().await?;
        webhooks.send(read(stream).await?).await?;
    }
}

async fn read(stream: TcpStream) -> Result<Webhook, Failure> {
    let mut stream = BufReader::new(stream);
    stream.read_line(&mut String::new()).await?; // POST /hooks
    let mut headers = HeaderMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.append(HeaderName::from_str(name)?, HeaderValue::from_str(value.trim())?);
    }
    let length = headers.get("Content-Length").ok_or("a webhook without Content-Length")?;
    let mut body = vec![0; length.to_str()?.parse()?];
    stream.read_exact(&mut body).await?;
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").await?;
    Ok((headers, body))
}
