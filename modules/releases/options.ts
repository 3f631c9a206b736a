import { address, section } from '@tollgate/contract/options/kinds'

const releases = section({
  name: 'releases',
  tab: 'other',
  title: { zh: '版本更新', en: 'Updates' },
  behind: { section: 'personalization', position: 1 },
  options: {
    ReleaseListAddress: address({
      fallback: '',
      label: { zh: '版本列表 URL', en: 'Release list URL' },
      help: {
        zh: '用于检查更新，例如 https://api.github.com/repos/<组织>/<仓库>/releases；留空则不检查',
        en: 'Used by “Check for updates”, e.g. https://api.github.com/repos/<owner>/<name>/releases. Empty: off.',
      },
    }),
  },
})

export const sections = [releases] as const
