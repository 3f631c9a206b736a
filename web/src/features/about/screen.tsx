import { OperatorText } from '../../components/operator-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { calls } from '../../lib/contract.ts'
import { words } from '../../lib/i18n.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useStatus } from '../../lib/status.ts'
import classes from './about.module.css'

const useAboutWords = words('about', {
  zh: {
    title: '关于',
    text: '兼容 OpenAI 的 AI 网关：统一接入、计量与账单。',
    name: '名称',
    version: '版本',
    started: '启动时间',
    license: '许可证',
  },
  en: {
    title: 'About',
    text: 'An OpenAI-compatible AI gateway: one access, metering and one bill.',
    name: 'Name',
    version: 'Version',
    started: 'Running since',
    license: 'Licence',
  },
})

const Facts = () => {
  const say = useAboutWords()
  const status = useStatus()
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <dl className={`panel ${classes.facts}`}>
        <dt>{say('name')}</dt>
        <dd>{status.system_name}</dd>
        <dt>{say('version')}</dt>
        <dd className="mono">{status.version || '—'}</dd>
        <dt>{say('started')}</dt>
        <dd>
          <TimeText at={status.start_time} />
        </dd>
        <dt>{say('license')}</dt>
        <dd>Apache-2.0</dd>
      </dl>
    </>
  )
}

/** The operator's own text where there is one, else the facts of this installation. */
export const AboutScreen = () => {
  const content = useEndpoint(calls.getAbout)
  if (content.isPending) return null
  return content.data ? <OperatorText text={content.data} /> : <Facts />
}
