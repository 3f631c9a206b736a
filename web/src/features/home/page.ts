import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const homePage = {
  path: '/',
  access: 'everyone',
  title: { zh: '首页', en: 'Home' },
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.HomeScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
