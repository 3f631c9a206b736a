import { defineMessages } from '../lib/i18n.ts'

/** Texts in place of a page that failed or does not exist. Small, because every page loads them. */
export const usePageMessages = defineMessages('pages', {
  zh: {
    notFound: '页面不存在',
    broken: '页面出错了',
    brokenText: '这个页面发生了意外错误，其他页面不受影响。',
    outdated: '控制台已更新',
    outdatedText: '控制台已更新到新版本，请刷新后继续。',
    unreached: '无法连接到服务器',
    unreachedText: '这个页面需要从服务器加载，连接恢复后会自动打开。',
    reload: '刷新页面',
    retry: '重试',
  },
  en: {
    notFound: 'Page not found',
    broken: 'Something went wrong',
    brokenText: 'This page hit an unexpected error. Other pages still work.',
    outdated: 'New version available',
    outdatedText: 'The console was updated. Reload to continue.',
    unreached: 'Can’t reach the server',
    unreachedText: 'The page opens automatically once the connection is back.',
    reload: 'Reload',
    retry: 'Retry',
  },
})
