import type { ConsolePage, LoadedPage } from '../../components/page.ts'

export const settingsPage = {
  path: '/setting',
  access: 'admin',
  area: 'settings',
  title: { zh: '系统设置', en: 'System settings' },
  sheets: ['/$section'],
  sidebar: {
    group: 'groupSite',
    position: 5,
    icon: 'sliders',
    shortcut: 'o',
    name: { zh: '设置', en: 'Settings' },
  },
  keywords: 'options configuration preferences 配置 选项',
  load: (): LoadedPage => import('./screen.tsx').then((file) => ({ Screen: file.SettingsScreen })),
} as const satisfies ConsolePage
