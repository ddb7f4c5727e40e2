//! A plot as SVG: seconds over N, both with logarithmic axes, one line for each model.

use std::fmt::Write;

/// A line of a plot.
pub struct Line {
    /// What it shows.
    pub label: String,
    /// N and seconds.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;
/// Left, top, right and bottom margins.
const MARGINS: [f64; 4] = [56.0, 36.0, 110.0, 44.0];
const COLOURS: [&str; 6] = ["#1f6f8b", "#c0504d", "#5b8c3a", "#8064a2", "#d0862e", "#444444"];
/// The axes: N, and seconds.
const N: [f64; 2] = [1.0, 512.0];
const SECONDS: [f64; 2] = [0.01, 100.0];

/// Where a value stands between two margins, on a logarithmic axis.
fn along(value: f64, [low, high]: [f64; 2], from: f64, to: f64) -> f64 {
    let part = (value.clamp(low, high) / low).ln() / (high / low).ln();
    from + part * (to - from)
}

fn x(n: f64) -> f64 {
    along(n, N, MARGINS[0], WIDTH - MARGINS[2])
}

fn y(seconds: f64) -> f64 {
    along(seconds, SECONDS, HEIGHT - MARGINS[3], MARGINS[1])
}

/// The plot.
pub fn svg(title: &str, lines: &[Line]) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" fill=\"white\"/>\n<text x=\"{}\" y=\"20\" \
         font-size=\"14\">{title}</text>\n",
        MARGINS[0]
    );
    axes(&mut out);
    for (index, line) in lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = line
            .points
            .iter()
            .map(|&(n, seconds)| format!("{:.1},{:.1}", x(n), y(seconds)))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        for point in &points {
            let (x, y) = point.split_once(',').unwrap_or_default();
            let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>");
        }
        let (left, top) = (WIDTH - MARGINS[2] + 12.0, MARGINS[1] + 18.0 * index as f64 + 6.0);
        let _ =
            writeln!(out, "<text x=\"{left}\" y=\"{top}\" fill=\"{colour}\">{}</text>", line.label);
    }
    out.push_str("</svg>\n");
    out
}

fn axes(out: &mut String) {
    let (bottom, right) = (HEIGHT - MARGINS[3], WIDTH - MARGINS[2]);
    for n in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] {
        let x = x(f64::from(n));
        let _ = writeln!(
            out,
            "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/><text \
             x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{n}</text>",
            MARGINS[1],
            bottom + 16.0
        );
    }
    for seconds in [0.01, 0.1, 1.0, 10.0, 100.0] {
        let y = y(seconds);
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/><text \
             x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{seconds}</text>",
            MARGINS[0],
            MARGINS[0] - 6.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">N</text><text x=\"8\" y=\"{}\">s</text>",
        (MARGINS[0] + right) / 2.0,
        HEIGHT - 8.0,
        MARGINS[1]
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_is_further_right_and_higher_up() {
        assert!(x(1.0) < x(2.0) && x(2.0) < x(64.0));
        assert!(y(0.1) > y(1.0));
        assert_eq!(x(1.0), MARGINS[0]);
        assert_eq!(y(1000.0), MARGINS[1]);
    }

    #[test]
    fn a_plot_names_its_lines() {
        let line = Line { label: "sc".to_string(), points: vec![(1.0, 0.1), (2.0, 0.3)] };
        let text = svg("dekker", &[line]);
        assert!(text.contains(">sc</text>") && text.contains("<polyline"));
    }
}
