import { fstatSync, writeSync } from 'node:fs'

/** Writes one line that ends with a line feed. Answers false when the line was dropped. */
export type WriteLine = (line: string) => boolean

const ignore = (): void => {}

/**
 * Keeps the process running when the reader of its output goes away (`| head -2`) or the disk under it is full: without a
 * listener Node ends the process at the first failed write. Covers worker threads, whose output goes through these streams.
 */
export const guardStandardStreams = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  }
}

const isFileOrDevice = (fd: number): boolean => {
  try {
    const kind = fstatSync(fd)
    return kind.isFile() || (kind.isCharacterDevice() && process.stdout.isTTY !== true)
  } catch {
    return false
  }
}

// Node destroys the stream of a file at the first failed write; writing by descriptor goes on when the disk has room again.
const openFileLines = (fd: number): WriteLine => {
  let isCut = false
  return (line) => {
    const bytes = Buffer.from(isCut ? `\n${line}` : line)
    try {
      const written = writeSync(fd, bytes)
      // A disk that fills up takes the beginning of a line; the next line must not continue it.
      if (written > 0) isCut = written < bytes.length
      return written === bytes.length
    } catch {
      return false
    }
  }
}

const writeToStream: WriteLine = (line) => {
  if (process.stdout.destroyed || process.stdout.errored) return false
  process.stdout.write(line)
  return true
}

/** Opens the standard output for log lines. A line that cannot be written is dropped; nothing is thrown. */
export const openStandardOutput = (): WriteLine => {
  guardStandardStreams()
  return isFileOrDevice(1) ? openFileLines(1) : writeToStream
}
