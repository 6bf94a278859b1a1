//! Checks the verification of webhook signatures with the cases of a file.

use std::{collections::HashMap, env, error::Error, fs, process::ExitCode};

use http::HeaderMap;
use integration::{verify_service_signature, verify_standard_webhook};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    secret: String,
    now: i64,
    headers: HashMap<String, String>,
    body: String,
    service_signature_valid: bool,
    standard_webhooks_valid: bool,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: verify FILE")?;
    let cases: Vec<Case> = serde_json::from_slice(&fs::read(path)?)?;
    let mut status = ExitCode::SUCCESS;
    for case in &cases {
        let headers: HeaderMap = HeaderMap::try_from(&case.headers)?;
        let body = case.body.as_bytes();
        let signature = match headers.get("X-Service-Signature") {
            Some(value) => value.to_str()?,
            None => "",
        };
        let service = verify_service_signature(&case.secret, body, signature);
        if service != case.service_signature_valid {
            eprintln!("{}: X-Service-Signature taken as {service}", case.name);
            status = ExitCode::FAILURE;
        }
        let standard = verify_standard_webhook(&case.secret, &headers, body, case.now);
        if standard != case.standard_webhooks_valid {
            eprintln!("{}: Standard Webhooks taken as {standard}", case.name);
            status = ExitCode::FAILURE;
        }
    }
    if cases.is_empty() {
        return Err("no cases".into());
    }
    println!("{} cases", cases.len());
    Ok(status)
}
