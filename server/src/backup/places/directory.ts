import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BackupPlace } from './place.ts'

/** A folder, which is made when it is missing. Files are for their owner only. */
export const directoryPlace = (folder: string): BackupPlace => ({
  async write(name, bytes) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const unfinished = join(folder, `${name}.part`)
    try {
      await pipeline(bytes, createWriteStream(unfinished, { mode: 0o600, flush: true }))
      await rename(unfinished, join(folder, name))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  },
  async read(name) {
    const file = await open(join(folder, name))
    await file.close()
    return createReadStream(join(folder, name))
  },
  async names() {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return readdir(folder)
  },
  remove: (name) => rm(join(folder, name)),
})
