import type { ConsolePage, LoadedPage } from '#web/components/page.ts'

export const agentsPage = {
  path: '/agents',
  access: 'signed_in',
  title: { zh: '编程助手', en: 'Coding agents' },
  sidebar: { group: 'groupUse', position: 4, icon: 'code', shortcut: 'i' },
  keywords: 'claude code codex cursor opencode cli sdk setup connect 编程 接入',
  load: (): LoadedPage =>
    import('./screen.tsx').then((file) => ({ Screen: file.AgentsScreen, firstRead: file.firstRead })),
} as const satisfies ConsolePage
