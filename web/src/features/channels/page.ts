import type { LoadedPage, Page } from '../../components/page.ts'

export const channelsPage = {
  path: '/channel',
  access: 'admin',
  title: { zh: '渠道', en: 'Channels' },
  sidebar: { group: 'groupAdmin', position: 1, icon: 'channels', shortcut: 'c' },
  sheets: ['/add', '/edit/$id'],
  load: (): LoadedPage =>
    import('./screen.tsx').then(({ ChannelsScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page

export const channelPage = {
  path: '/channel/$id',
  access: 'admin',
  title: { zh: '渠道', en: 'Channel' },
  load: (): LoadedPage =>
    import('./channel-page/screen.tsx').then(({ ChannelScreen: Screen, firstRead }) => ({ Screen, firstRead })),
} as const satisfies Page
