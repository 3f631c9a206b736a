import { logType } from '../../../lib/api/contract.ts'

export interface VolumeProps {
  /** Filters and range of the list. */
  query: Record<string, unknown>
  live: boolean
  isAdmin: boolean
  /** Unix seconds, both ends included. */
  onRange: (from: number, to: number) => void
}

/** Entries of another type than requests neither succeed nor fail. */
export const areRequests = (type: unknown): boolean =>
  ['', String(logType.unknown), String(logType.consume), String(logType.error)].includes(String(type ?? ''))
