import { join } from 'node:path'
import type { Disk } from './disk.ts'

const probeBytes = 65_536

/**
 * Finds out whether the disk takes bytes again; rejects where it does not. Writes a file of its own, since bytes that were
 * refused once must not decide over the segment.
 */
export const probeDisk = async (disk: Disk, directory: string, syncs: boolean): Promise<void> => {
  const path = join(directory, 'probe')
  const file = disk.open(path)
  try {
    const bytes = Buffer.alloc(probeBytes, ' ')
    for (let written = 0; written < bytes.length; ) written += file.write(bytes, written)
    if (syncs) await file.sync()
  } finally {
    file.close()
    disk.remove(path)
  }
}
