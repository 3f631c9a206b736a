import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const channelsPage = {
  path: '/channel',
  access: 'admin',
  area: 'channels',
  title: { zh: '渠道', en: 'Channels' },
  sheets: ['/add', '/edit/$id'],
  sidebar: { group: 'groupSite', position: 1, icon: 'channels', shortcut: 'c' },
  keywords: 'providers proxy upstream connections azure openai anthropic 上游 供应商',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.ChannelsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage

export const channelPage = {
  path: '/channel/$id',
  access: 'admin',
  area: 'channels',
  title: { zh: '渠道', en: 'Channel' },
  load: (): LoadedPage =>
    import('./channel-page/screen.tsx').then((file) => ({ Screen: file.ChannelScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
