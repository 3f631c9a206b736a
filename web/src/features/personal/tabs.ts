import { ownMember } from '@tollgate/contract/own-member'
import { signInWays } from '../../components/parts/sign-in-ways.ts'

/** The tabs of the page, each under `/personal/`; the first is the page's own address, too. */
export const tabs = [
  'profile',
  'security',
  'access-tokens',
  'connections',
  'notifications',
  'invites',
  'danger',
] as const
export type PersonalTab = (typeof tabs)[number]

/** The panels of a tab that links name after `#`, as they did when all panels stood on one page. */
const tabOfPanel: Readonly<Record<string, PersonalTab>> = {
  bindings: 'connections',
  invite: 'invites',
  notices: 'notifications',
  password: 'security',
  'two-step': 'security',
  'access-token': 'access-tokens',
  'named-tokens': 'access-tokens',
  sessions: 'security',
  danger: 'danger',
}

const tabWith = (hash: string): PersonalTab | undefined =>
  signInWays.some(({ panel }) => panel === hash) ? 'security' : ownMember(tabOfPanel, hash)

/** The tab of an address: by its path, or by the panel that it names. */
export const tabOf = (pathname: string, hash: string): PersonalTab =>
  tabs.find((tab) => tab === pathname.split('/')[2]) ?? tabWith(hash) ?? 'profile'
