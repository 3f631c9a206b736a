import { closeSync, openSync, readSync } from 'node:fs'

/** Enough for `/proc/self/status`, which is about 1.5 kB. */
const buffer = Buffer.alloc(8 * 1024)
const anonymous = /^RssAnon:\s+(\d+) kB$/m

/**
 * Bytes of this process that the system cannot take back: without files that it has mapped, which are read again when they are
 * needed. All that is resident where the system does not say (everything but Linux).
 */
export const usedMemory = (): number => {
  try {
    const file = openSync('/proc/self/status', 'r')
    try {
      const [, kilobytes] =
        anonymous.exec(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0))) ?? []
      if (kilobytes !== undefined) return Number(kilobytes) * 1024
    } finally {
      closeSync(file)
    }
  } catch {
    // There is no such file here.
  }
  return process.memoryUsage.rss()
}
