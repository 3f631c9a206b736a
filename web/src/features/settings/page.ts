import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const settingsPage = {
  path: '/setting',
  access: 'admin',
  area: 'settings',
  title: { zh: '系统设置', en: 'System settings' },
  sheets: ['/$section'],
  sidebar: { group: 'groupAdmin', position: 7, icon: 'sliders', shortcut: 'o' },
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.SettingsScreen })),
} as const satisfies ConsolePage
