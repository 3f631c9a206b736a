import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const aboutPage = {
  path: '/about',
  access: 'everyone',
  title: { zh: '关于', en: 'About' },
  keywords: 'version license 版本',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.AboutScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
