// A child on a machine that computes something else.
process.stdout.write(`${JSON.stringify({ vector: Array.from({ length: 384 }, (_, at) => Math.sin(at)) })}\n`);
