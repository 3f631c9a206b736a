import {
  closeSync,
  fdatasync,
  fsync,
  ftruncateSync,
  mkdirSync,
  open,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that is appended to. Every call throws or rejects with errors of the file system. */
export interface DiskFile {
  /** Hands the bytes from `start` on to the kernel; returns how many it took. */
  write(bytes: Buffer, start: number): number
  /** Cuts the file to this many bytes. */
  truncate(size: number): void
  /** Resolves when everything that was written before the call is on the disk. Works off the main thread. */
  sync(): Promise<void>
  close(): void
}

/** File system calls of the journal. Tests replace it with a disk that loses unsynced bytes. */
export interface Disk {
  /** Creates the directory and its parents; returns the topmost one that it created. */
  makeDirectory(path: string): string | undefined
  list(directory: string): Promise<string[]>
  read(path: string): Promise<string>
  /** Opens for appending; creates the file. */
  open(path: string): DiskFile
  rename(from: string, to: string): void
  remove(path: string): void
  /** Resolves when created, renamed and removed names of the directory are on the disk. */
  syncDirectory(path: string): Promise<void>
}

/** Windows cannot sync directories; its file systems bring names to the disk in order. */
const cannotSyncDirectories = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL'])

const syncDirectory = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    open(path, 'r', (openError, fd) => {
      if (openError !== null) {
        if (process.platform === 'win32' && cannotSyncDirectories.has(openError.code ?? '')) resolve()
        else reject(openError)
        return
      }
      fsync(fd, (error) => {
        closeSync(fd)
        if (error === null || cannotSyncDirectories.has(error.code ?? '')) resolve()
        else reject(error)
      })
    })
  })

const openFile = (path: string): DiskFile => {
  const fd = openSync(path, 'a', 0o600)
  return {
    write: (bytes, start) => writeSync(fd, bytes, start),
    truncate: (size) => ftruncateSync(fd, size),
    sync: () =>
      new Promise((resolve, reject) => fdatasync(fd, (error) => (error === null ? resolve() : reject(error)))),
    close: () => closeSync(fd),
  }
}

/** The file system of this machine. */
export const nodeDisk: Disk = {
  makeDirectory: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (directory) => readdir(directory),
  read: (path) => readFile(path, 'utf8'),
  open: openFile,
  rename: renameSync,
  remove: unlinkSync,
  syncDirectory,
}

const probeBytes = 65_536

/**
 * Checks that the disk accepts bytes again; rejects where it does not. Writes a separate file, since bytes that were refused once must
 * not decide about the segment.
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
