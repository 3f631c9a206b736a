import { ownMember } from '@tollgate/contract/own-member'

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
  passkeys: 'security',
  'access-token': 'access-tokens',
  'named-tokens': 'access-tokens',
  sessions: 'security',
  danger: 'danger',
}

/** The tab of an address: by its path, or by the panel that it names. */
export const tabOf = (pathname: string, hash: string): PersonalTab =>
  tabs.find((tab) => tab === pathname.split('/')[2]) ?? ownMember(tabOfPanel, hash) ?? 'profile'
