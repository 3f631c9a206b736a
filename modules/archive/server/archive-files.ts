import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Storage of archive files: a folder or a bucket. */
export interface ArchivePlace {
  /** Stores all or nothing under a name. */
  write(name: string, bytes: Readable): Promise<void>
  read(name: string): Promise<Readable>
}

export interface ArchiveFiles {
  /** Stores a finished file. */
  store(name: string, path: string): Promise<void>
  /** The path of a local copy that can be read now. @throws Error where the file is gone or the place does not answer */
  pathOf(name: string): Promise<string>
}

/** Copies of files of a bucket: the newest are kept up to this size. */
const mostCachedBytes = 4 * 1024 ** 3

/** Files of a folder are read where they are. */
export const folderFiles = (place: ArchivePlace, folder: string): ArchiveFiles => ({
  store: (name, path) => place.write(name, createReadStream(path)),
  async pathOf(name) {
    const path = join(folder, name)
    await stat(path)
    return path
  },
})

/** Files of a bucket are copied to `folder` when they are read, and stay there while there is room. */
export const copiedFiles = (place: ArchivePlace, folder: string): ArchiveFiles => {
  const copying = new Map<string, Promise<string>>()

  const makeRoom = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.parquet'))
    const files = await Promise.all(names.map(async (name) => ({ name, ...(await usedOf(join(folder, name))) })))
    let bytes = 0
    for (const file of files.toSorted((left, right) => right.at - left.at)) {
      bytes += file.bytes
      if (bytes > mostCachedBytes) await rm(join(folder, file.name), { force: true })
    }
  }

  const copy = async (name: string): Promise<string> => {
    const path = join(folder, name)
    const now = new Date()
    const isThere = await utimes(path, now, now).then(
      () => true,
      () => false,
    )
    if (isThere) return path
    await mkdir(folder, { recursive: true })
    const unfinished = `${path}.part`
    await pipeline(await place.read(name), createWriteStream(unfinished, { mode: 0o600 }))
    await rename(unfinished, path)
    await makeRoom()
    return path
  }

  return {
    store: (name, path) => place.write(name, createReadStream(path)),
    pathOf(name) {
      const known = copying.get(name) ?? copy(name).finally(() => copying.delete(name))
      copying.set(name, known)
      return known
    },
  }
}

const usedOf = async (path: string): Promise<{ bytes: number; at: number }> => {
  const { size, mtimeMs } = await stat(path)
  return { bytes: size, at: mtimeMs }
}
