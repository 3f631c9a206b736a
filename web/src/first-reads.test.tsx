import { afterEach, beforeEach, describe, it } from 'vitest'
import { forgetUser } from './lib/api/session.ts'
import { expectNothingAskedTwice, type ScreenReads, signInForReads } from './test/first-reads.tsx'

const logs = {
  load: () => import('./features/logs/screen.tsx'),
  screen: 'LogsScreen',
  list: '/api/log/',
  beside: '/api/log/stat',
}
const places: readonly ScreenReads[] = [
  {
    path: '/token',
    load: () => import('./features/tokens/screen.tsx'),
    screen: 'TokensScreen',
    list: '/api/token/browse',
  },
  { path: '/log', ...logs },
  { path: '/log?range=1h&type=2&p=2&sort=-quota', ...logs },
  {
    path: '/channel?type=1&not=type',
    load: () => import('./features/channels/screen.tsx'),
    screen: 'ChannelsScreen',
    list: '/api/channel/browse',
  },
  { path: '/user', load: () => import('./features/users/screen.tsx'), screen: 'UsersScreen', list: '/api/user/search' },
  {
    path: '/audit?actor=root',
    load: () => import('./features/audit/screen.tsx'),
    screen: 'AuditScreen',
    list: '/api/audit',
  },
]

describe('what is read ahead of a screen', () => {
  beforeEach(signInForReads)
  afterEach(() => {
    forgetUser()
    localStorage.clear()
  })

  it.each(places)('is what $path asks for: nothing is asked twice', expectNothingAskedTwice)
})
