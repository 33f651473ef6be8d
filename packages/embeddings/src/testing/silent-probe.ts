// A child that prints no answer.
process.stdout.write('Segmentation fault\n');
