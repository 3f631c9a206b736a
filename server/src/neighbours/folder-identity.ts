import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileName = 'folder-id'

/**
 * A name of a data folder that stays the same over restarts and by whichever path it is opened, and differs from that of every other
 * folder. A copy has another one: the number of the file is part of it. Makes the file where there is none.
 */
export const folderIdentity = (dataDir: string): string => {
  const path = join(dataDir, fileName)
  try {
    writeFileSync(path, `${randomBytes(12).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const text = `${readFileSync(path, 'utf8').trim()} ${statSync(path).ino}`
  return `folder:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
}
