import { address, section } from '@tollgate/contract/options/kinds'

const releases = section({
  name: 'releases',
  tab: 'other',
  title: { zh: '版本更新', en: 'Updates' },
  behind: { section: 'personalization', position: 1 },
  options: {
    ReleaseListAddress: address({
      fallback: '',
      label: { zh: '版本列表地址', en: 'Release list' },
      help: {
        zh: '检查更新时由服务器读取，例如 https://api.github.com/repos/<组织>/<仓库>/releases；留空则不检查',
        en: 'Read by the server when asked for updates, e.g. https://api.github.com/repos/<owner>/<name>/releases; no check when empty',
      },
    }),
  },
})

export const sections = [releases] as const
