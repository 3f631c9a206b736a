import { Link } from '@tanstack/react-router'
import { TabBar } from '../../../components/tab-bar.tsx'
import { useUserPageMessages } from './messages.ts'

const tabNames = ['overview', 'ledger', 'tokens', 'usage', 'invites', 'sessions', 'audit'] as const
export type TabName = (typeof tabNames)[number]

export const tabOf = (text: string | undefined): TabName => tabNames.find((name) => name === text) ?? 'overview'

/** The address of the overview begins every other one. */
const exactly = { exact: true, includeSearch: true }

/** The parts of the page, each with an address of its own. */
export const TabLinks = ({ id, current }: { id: number; current: TabName }) => {
  const say = useUserPageMessages()
  return (
    <TabBar label={say('tabs')} current={tabNames.indexOf(current)}>
      {tabNames.map((name) => (
        <Link
          key={name}
          to="/user/$id"
          params={{ id: String(id) }}
          search={name === 'overview' ? {} : { tab: name }}
          activeOptions={exactly}
          aria-current={name === current ? 'page' : undefined}
          resetScroll={false}
        >
          {say(name)}
        </Link>
      ))}
    </TabBar>
  )
}
