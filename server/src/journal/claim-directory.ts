import { dirname } from 'node:path'
import type { Disk } from './disk.ts'
import { lockDirectory } from './lock.ts'

/**
 * Makes the journal's directory and locks it for this process; `created` is its highest folder that was not there before.
 * Throws where it cannot be used, or another process uses it.
 */
export const claimDirectory = (disk: Disk, directory: string): { unlock: () => void; created: string | undefined } => {
  try {
    const created = disk.makeDirectory(directory)
    return { unlock: lockDirectory(directory), created }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === undefined) throw cause
    throw new Error(`Cannot open the journal: ${message}; check DATA_DIR.`, { cause })
  }
}

/** Brings the names of the journal's directory and of its parents that `created` begins with to the disk. */
export const syncParents = async (disk: Disk, directory: string, created: string = directory): Promise<void> => {
  const top = dirname(created)
  for (let parent = dirname(directory); ; parent = dirname(parent)) {
    await disk.syncDirectory(parent)
    if (parent === top || parent === dirname(parent)) return
  }
}
