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

/** Charges of the entries that a list shows. The sum of the API counts charged calls whatever type is listed, and no other entry is a charge. */
export const chargesOf = (type: unknown, quota: number): number =>
  ['', String(logType.unknown), String(logType.consume)].includes(String(type ?? '')) ? quota : 0
