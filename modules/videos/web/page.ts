import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const videosPage = {
  path: '/videos',
  access: 'signed_in',
  title: { zh: '视频', en: 'Videos' },
  sidebar: { group: 'groupActivity', position: 6, icon: 'film', tabOf: '/log' },
  keywords: 'video sora veo movie clip 视频 生成',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.VideosScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
