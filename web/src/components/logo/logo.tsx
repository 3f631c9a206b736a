import { useSyncExternalStore } from 'react'
import classes from './logo.module.css'
import type { LogoOf, Mark } from './marks.ts'

type FindMark = (of: LogoOf) => Mark | undefined

// The table of marks comes after the screen: no screen waits for it, and it is fetched once.
let find: FindMark | undefined
let isAsked = false
const readers = new Set<() => void>()

const fetchMarks = async (): Promise<void> => {
  const { findMark } = await import('./marks.ts')
  find = findMark
  for (const read of readers) read()
}

const subscribe = (read: () => void): (() => void) => {
  readers.add(read)
  if (!isAsked) {
    isAsked = true
    void fetchMarks().catch(() => {
      isAsked = false
    })
  }
  return () => void readers.delete(read)
}
const present = (): FindMark | undefined => find

/** One or two letters that stand for a name. */
const monogramOf = (name: string): string => {
  const word = name.slice(name.lastIndexOf('/') + 1).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const [first = '·', second = ''] = word
  return /\p{Lu}/u.test(second) || /\p{Ll}/u.test(second)
    ? `${first.toUpperCase()}${second.toLowerCase()}`
    : first.toUpperCase()
}

const Drawn = ({ mark, name }: { mark: Mark | undefined; name: string }) => {
  if (mark === undefined) return <span className={classes.monogram}>{monogramOf(name)}</span>
  if (!mark.isPlain) return <img className={classes.mark} src={mark.address} alt="" loading="lazy" decoding="async" />
  return <span className={classes.plain} style={{ maskImage: `url("${mark.address}")` }} />
}

/**
 * The logo of a provider, a maker or a model, 20, 28 or 40 pixels; a monogram of `name` where none is known. It says nothing to
 * a screen reader: it always stands beside the name.
 */
export const Logo = ({ of, name, size = 20 }: { of: LogoOf; name: string; size?: 20 | 28 | 40 }) => {
  const findMark = useSyncExternalStore(subscribe, present)
  return (
    <span className={classes.logo} data-size={size} aria-hidden="true">
      {findMark && <Drawn mark={findMark(of)} name={name} />}
    </span>
  )
}
