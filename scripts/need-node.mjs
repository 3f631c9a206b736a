// Runs before everything else, so plain JavaScript. Most platforms get Node 26 with the dependencies; the rest must bring it.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 7)) {
  process.stderr.write(
    `Tollgate runs on Node.js 24.7 or newer, and ${process.platform} on ${process.arch} does not get it with the dependencies ` +
      `(found ${process.versions.node}). Install Node.js 26 and try again.\n`,
  )
  process.exit(1)
}
