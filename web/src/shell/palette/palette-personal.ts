import { useNavigate } from '@tanstack/react-router'
import { usePersonalMessages } from '../../features/personal/messages.ts'
import { type PersonalTab, tabs } from '../../features/personal/tabs.ts'
import type { Command } from './command.ts'

const tabWords = {
  profile: 'profile',
  security: 'tabSecurity',
  'access-tokens': 'tabAccessTokens',
  connections: 'tabConnections',
  notifications: 'tabNotifications',
  invites: 'tabInvites',
  danger: 'danger',
} as const satisfies Record<PersonalTab, string>

/** Tabs of the personal page whose name holds the text. */
export const usePersonalTabs = (text: string, title: string | undefined): readonly Command[] => {
  const say = usePersonalMessages()
  const navigate = useNavigate()
  if (title === undefined) return []
  return tabs
    .map((tab) => ({ tab, label: `${title}: ${say(tabWords[tab])}` }))
    .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
    .map(({ tab, label }) => ({
      id: `personal:${tab}`,
      label,
      icon: 'user' as const,
      run: () => void navigate({ to: '/personal/$section', params: { section: tab } }),
    }))
}
