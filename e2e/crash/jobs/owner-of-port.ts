import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const socketOf = (port: number, farPort: number): string | undefined => {
  const end = (number: number): string => `:${number.toString(16).toUpperCase().padStart(4, '0')}`
  for (const row of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const [, near = '', far = '', , , , , , , inode] = row.trim().split(/\s+/)
    if (near.endsWith(end(port)) && far.endsWith(end(farPort))) return `socket:[${inode}]`
  }
  return undefined
}

const has = (pid: number, socket: string): boolean => {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(`${folder}/${name}`) === socket
    } catch {
      // It was closed meanwhile.
      return false
    }
  })
}

/** That of some processes which has the connection from `port` to `farPort` of this machine; undefined where none has, or there is no `/proc`. */
export const ownerOfPort = (pids: readonly number[], port: number, farPort: number): number | undefined => {
  try {
    const socket = socketOf(port, farPort)
    return socket === undefined ? undefined : pids.find((pid) => has(pid, socket))
  } catch {
    return undefined
  }
}
