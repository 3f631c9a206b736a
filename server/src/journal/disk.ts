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

/** A file that is appended to. Every call throws or rejects with what the file system says. */
export interface DiskFile {
  /** Hands the bytes from `start` on to the kernel; returns how many it took. */
  write(bytes: Buffer, start: number): number
  /** Cuts the file to this many bytes. */
  truncate(size: number): void
  /** Resolves when everything that was written before the call is on the disk. Works off the main thread. */
  sync(): Promise<void>
  close(): void
}

/** The calls to the file system that the journal makes. Tests replace it with a disk that loses what was not synced. */
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
