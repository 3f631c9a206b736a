import { type ReactNode, useEffect, useRef } from 'react'
import { showsMore } from '../lib/shows-more.ts'
import classes from './tab-bar.module.css'

/** Links to the parts of a page, each with an address of its own; the link of part `current` carries `aria-current`. */
export const TabBar = ({ label, current, children }: { label: string; current: number; children: ReactNode }) => {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => showsMore(bar.current), [])
  // A phone shows only some of them.
  useEffect(() => {
    bar.current?.children[current]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav ref={bar} className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
