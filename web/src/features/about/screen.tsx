import { StatusBadge } from '../../components/display/status-badge.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { OperatorText } from '../../components/markdown/operator-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { calls } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { type SiteStatus, useStatus } from '../../lib/status.ts'
import classes from './about.module.css'

const useAboutMessages = defineMessages('about', {
  zh: {
    title: '关于',
    text: '兼容 OpenAI 的 AI 网关：统一接入、计量与计费。',
    what: '{{name}} 将多家模型服务统一为一个接口：一个令牌即可调用，按实际用量计费，每次请求都有明细账单。',
    howToSet: '管理员可在系统设置中替换此页内容，支持 Markdown、HTML 或 https 链接。',
    system: '系统信息',
    name: '名称',
    version: '版本',
    started: '启动时间',
    license: '许可证',
    signIn: '登录方式',
    email: '邮箱验证',
    github: 'GitHub 身份验证',
    oidc: 'OIDC 身份验证',
    wechat: '微信身份验证',
    telegram: 'Telegram 身份验证',
    linuxdo: 'Linux DO 身份验证',
    turnstile: 'Turnstile 用户校验',
    on: '已启用',
    off: '未启用',
  },
  en: {
    title: 'About',
    text: 'An OpenAI-compatible AI gateway with metering and billing.',
    what: '{{name}} puts many AI providers behind one API. One key calls every model, you pay for what you use, and every request has an itemised receipt.',
    howToSet: 'Administrators can replace this page in the system settings with Markdown, HTML or an https link.',
    system: 'System information',
    name: 'Name',
    version: 'Version',
    started: 'Running since',
    license: 'Licence',
    signIn: 'Sign-in methods',
    email: 'Email verification',
    github: 'GitHub sign-in',
    oidc: 'OIDC sign-in',
    wechat: 'WeChat sign-in',
    telegram: 'Telegram sign-in',
    linuxdo: 'Linux DO sign-in',
    turnstile: 'Turnstile check',
    on: 'Enabled',
    off: 'Not enabled',
  },
})

const switches = [
  ['email', 'email_verification'],
  ['github', 'github_oauth'],
  ['oidc', 'oidc_enabled'],
  ['wechat', 'wechat_login'],
  ['telegram', 'telegram_oauth'],
  ['linuxdo', 'linuxdo_oauth'],
  ['turnstile', 'turnstile_check'],
] as const satisfies readonly (readonly [string, keyof SiteStatus])[]

const System = ({ status }: { status: SiteStatus }) => {
  const say = useAboutMessages()
  return (
    <section>
      <h2>{say('system')}</h2>
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
    </section>
  )
}

const Configuration = ({ status }: { status: SiteStatus }) => {
  const say = useAboutMessages()
  return (
    <section>
      <h2>{say('signIn')}</h2>
      <dl className={`panel ${classes.facts}`}>
        {switches.flatMap(([word, field]) => {
          const on = status[field] === true
          return [
            <dt key={`${field} name`}>{say(word)}</dt>,
            <dd key={field}>
              <StatusBadge tone={on ? 'good' : 'neutral'} label={on ? say('on') : say('off')} />
            </dd>,
          ]
        })}
      </dl>
    </section>
  )
}

const DefaultAbout = () => {
  const say = useAboutMessages()
  const status = useStatus()
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      <p className={classes.what}>{say('what', { name: status.system_name })}</p>
      <div className={classes.columns}>
        <System status={status} />
        <Configuration status={status} />
      </div>
      <p className={`faint ${classes.what}`}>{say('howToSet')}</p>
    </>
  )
}

export const firstRead: FirstRead = (read) => read(calls.getAbout)

/** The operator's own text where there is one, else the facts of this installation. */
export const AboutScreen = () => {
  const content = useEndpoint(calls.getAbout)
  if (content.isPending) return null
  return content.data ? <OperatorText text={content.data} /> : <DefaultAbout />
}
