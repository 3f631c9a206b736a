export interface VolumeProps {
  /** Filters and range of the list. */
  query: Record<string, unknown>
  live: boolean
  isAdmin: boolean
  /** Unix seconds, both ends included. */
  onRange: (from: number, to: number) => void
}
