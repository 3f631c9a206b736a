import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoragePlace } from './storage-place.ts'

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** A folder, which is made when it is missing, as are those of names with slashes. Files are for their owner only. */
export const directoryPlace = (folder: string): StoragePlace => {
  /** Files have their name when all of their bytes are on the disk. */
  const whole = async (name: string, write: (path: string) => Promise<unknown>): Promise<void> => {
    const path = join(folder, name)
    const unfinished = `${path}.part`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      await write(unfinished)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }
  return {
    write: (name, bytes) =>
      whole(name, (path) => pipeline(bytes, createWriteStream(path, { mode: 0o600, flush: true }))),
    put: (name, bytes) => whole(name, (path) => writeFile(path, bytes, { mode: 0o600, flush: true })),
    async read(name) {
      const file = await open(join(folder, name))
      await file.close()
      return createReadStream(join(folder, name))
    },
    async readRange(name, { from, end }) {
      const file = await open(join(folder, name)).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      })
      if (file === undefined) return undefined
      try {
        const { size } = await file.stat()
        const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - from))
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
        return bytes.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
    async names() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return readdir(folder)
    },
    async remove(name) {
      await rm(join(folder, name), { force: true })
      // A process that was killed while it wrote has left this.
      await rm(join(folder, `${name}.part`), { force: true })
    },
  }
}
