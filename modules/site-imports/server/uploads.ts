import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/lib/app-error.ts'

/** Bytes of an uploaded file at most; larger databases are moved by the command, beside the file. */
const longestFile = 4 * 1024 ** 3
const shape = /^[0-9a-f-]{36}$/

/** SQLite files that people upload, part by part, in a folder of their own. */
export interface Uploads {
  /** Adds a part and answers the file's id and length. Throws AppError('invalid_parameter' | 'body_too_large'). */
  add(part: {
    readonly id: string
    readonly offset: number
    readonly data: Buffer
  }): Promise<{ id: string; bytes: number }>
  /** The path of a file. Throws AppError('not_found'). */
  pathOf(id: string): Promise<string>
  remove(id: string): Promise<void>
  /** Removes all: files that an earlier process left behind. */
  clear(): Promise<void>
}

export const openUploads = (directory: string): Uploads => {
  const fileOf = (id: string): string => {
    if (!shape.test(id)) throw new AppError('not_found')
    return join(directory, `${id}.db`)
  }
  const lengthOf = async (path: string): Promise<number | undefined> =>
    stat(path).then(
      ({ size }) => size,
      () => undefined,
    )
  return {
    async add({ id, offset, data }) {
      const own = id === '' ? randomUUID() : id
      const path = fileOf(own)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const length = id === '' ? 0 : await lengthOf(path)
      if (length === undefined) throw new AppError('not_found')
      // A part that is sent again takes the place of the first.
      if (offset > length) throw new AppError('invalid_parameter')
      if (offset + data.length > longestFile) throw new AppError('body_too_large', { params: { megabytes: 4096 } })
      const file = await open(path, id === '' ? 'w' : 'r+', 0o600)
      try {
        await file.write(data, 0, data.length, offset)
      } finally {
        await file.close()
      }
      return { id: own, bytes: Math.max(length, offset + data.length) }
    },
    async pathOf(id) {
      const path = fileOf(id)
      if ((await lengthOf(path)) === undefined) throw new AppError('not_found')
      return path
    },
    remove: (id) => rm(fileOf(id), { force: true }),
    clear: () => rm(directory, { recursive: true, force: true }),
  }
}
