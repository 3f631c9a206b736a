import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useUserPageWords } from './messages.ts'
import classes from './user-page.module.css'

export const tabNames = ['overview', 'ledger', 'tokens', 'usage', 'invites', 'sessions', 'audit'] as const
export type TabName = (typeof tabNames)[number]

export const tabOf = (text: string | undefined): TabName => tabNames.find((name) => name === text) ?? 'overview'

/** The address of the overview begins every other one. */
const exactly = { exact: true, includeSearch: true }

/** The parts of the page, each with an address of its own. */
export const TabLinks = ({ id, current }: { id: number; current: TabName }) => {
  const say = useUserPageWords()
  const bar = useRef<HTMLElement>(null)
  // A phone shows only some of them.
  useEffect(() => {
    const link = bar.current?.children[tabNames.indexOf(current)]
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav ref={bar} className={classes.tabs} aria-label={say('tabs')}>
      {tabNames.map((name) => (
        <Link
          key={name}
          to="/user/$id"
          params={{ id: String(id) }}
          search={name === 'overview' ? {} : { tab: name }}
          activeOptions={exactly}
          className={classes.tab}
          aria-current={name === current ? 'page' : undefined}
          resetScroll={false}
        >
          {say(name)}
        </Link>
      ))}
    </nav>
  )
}
