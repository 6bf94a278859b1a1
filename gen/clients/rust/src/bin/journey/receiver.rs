//! A minimal HTTP server that receives one webhook.

use std::str::FromStr;

use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::Failure;

/// Waits for a request, and returns its headers and its raw body.
pub async fn receive(listener: TcpListener) -> Result<(HeaderMap, Vec<u8>), Failure> {
    let (stream, _) = listener.accept().await?;
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
    stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?;
    Ok((headers, body))
}
