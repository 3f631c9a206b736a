import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const inspectorPage = {
  path: '/inspector',
  access: 'admin',
  area: 'contents',
  title: { zh: '调用检查', en: 'Inspector' },
  sidebar: { group: 'groupAdmin', position: 9, icon: 'eye', shortcut: 'q' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.InspectorScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
