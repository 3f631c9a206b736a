import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const inspectorPage = {
  path: '/inspector',
  access: 'admin',
  area: 'contents',
  title: { zh: '调用检查', en: 'Inspector' },
  sidebar: { group: 'groupSite', position: 4, icon: 'eye', shortcut: 'q', tabOf: '/setting' },
  keywords: 'capture bodies prompts debug requests 抓取 请求体',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.InspectorScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
