import { connect, type LookupFunction, type Socket } from 'node:net'

/** Location of another program's database. */
export type SourcePlace =
  /** `shown` stands for the path in messages. */
  { readonly file: string; readonly shown?: string } | ({ readonly engine: 'mysql' | 'postgres' } & ServerPlace)

export interface ServerPlace {
  /** With its password: never shown, never logged. */
  readonly url: string
  /** Resolves and checks the host in the step that connects; undefined where any host may be named. */
  readonly lookup?: LookupFunction
}

/** A connection to the place, by its checked address; the host is the place's own. */
export const socketTo = ({ url, lookup }: ServerPlace, port: number): Socket =>
  connect({ host: new URL(url).hostname.replace(/^\[|\]$/g, ''), port, ...(lookup === undefined ? {} : { lookup }) })

/** An address as people may see it: without user and password. */
export const shownPlace = (place: SourcePlace): string => {
  if ('file' in place) return place.shown ?? place.file
  const { protocol, host, pathname } = new URL(place.url)
  return `${protocol}//${host}${pathname}`
}
