import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const personalPage = {
  path: '/personal',
  access: 'signed_in',
  title: { zh: '个人设置', en: 'Personal settings' },
  sheets: ['/$section'],
  sidebar: { group: 'groupPersonal', position: 3, icon: 'user', shortcut: 's' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.PersonalScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
