//! Facts about a block that the parser does not report.

/// Whether a heading is written with `#` (CommonMark 0.31, section 4.2) and not underlined.
pub fn is_atx(heading: &[u8]) -> bool {
    let hashes = heading.iter().take_while(|&&byte| byte == b'#').count();
    (1..=6).contains(&hashes) && heading.get(hashes).is_none_or(|byte| byte.is_ascii_whitespace())
}

/// Whether the last line of a fenced block closes it (CommonMark 0.31, section 4.5).
pub fn is_closed(block: &[u8]) -> bool {
    let Some(&fence) = block.first() else { return false };
    let length = block.iter().take_while(|&&byte| byte == fence).count();
    let Some(line_end) = block.iter().rposition(|&byte| byte == b'\n' || byte == b'\r') else { return false };
    let line = &block[line_end + 1..];
    // Container prefixes of quotes stand before the fence.
    let indent = line.iter().take_while(|&&byte| matches!(byte, b' ' | b'\t' | b'>')).count();
    let line = &line[indent..];
    let run = line.iter().take_while(|&&byte| byte == fence).count();
    run >= length && line[run..].iter().all(|byte| byte.is_ascii_whitespace())
}
