import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CopyText } from '../../components/copy-text.tsx'
import { OperatorText } from '../../components/operator-text.tsx'
import { pythonSnippet, Snippet } from '../../components/snippet.tsx'
import { useBaseUrl } from '../../lib/base-url.ts'
import { calls } from '../../lib/contract.ts'
import { words } from '../../lib/i18n.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import classes from './home.module.css'

const useHomeWords = words('home', {
  zh: {
    title: '一个地址，接入全部模型',
    text: '兼容 OpenAI 的接口，统一的令牌、额度与账单。把下面的地址填进你的客户端即可开始。',
    baseUrl: '接口地址',
    speaks: '支持的接口',
    login: '登录',
    playground: '打开游乐场',
    chat: '对话',
    chatText: '流式与非流式，工具调用，图片输入',
    completions: '文本补全',
    completionsText: '旧式补全接口',
    moderations: '内容审核',
    moderationsText: '判断文本是否违规',
    models: '模型列表',
    modelsText: '当前令牌可用的模型',
    embeddings: '向量',
    embeddingsText: '文本向量，可批量',
  },
  en: {
    title: 'One address for every model',
    text: 'An OpenAI-compatible API with one set of keys, one balance and one bill. Put this address into your client and start.',
    baseUrl: 'Base URL',
    speaks: 'What it speaks',
    login: 'Log in',
    playground: 'Open the playground',
    chat: 'Chat',
    chatText: 'Streaming or not, tools, images',
    completions: 'Completions',
    completionsText: 'Text completion of older clients',
    moderations: 'Moderations',
    moderationsText: 'Whether a text breaks the rules',
    models: 'Models',
    modelsText: 'What the key can use',
    embeddings: 'Embeddings',
    embeddingsText: 'Text vectors, in batches',
  },
})

const dialects = [
  { path: '/v1/chat/completions', word: 'chat', text: 'chatText' },
  { path: '/v1/completions', word: 'completions', text: 'completionsText' },
  { path: '/v1/embeddings', word: 'embeddings', text: 'embeddingsText' },
  { path: '/v1/moderations', word: 'moderations', text: 'moderationsText' },
  { path: '/v1/models', word: 'models', text: 'modelsText' },
] as const

const Introduction = () => {
  const say = useHomeWords()
  const user = useSession()
  const baseUrl = useBaseUrl()
  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <div>
          <h1>{say('title')}</h1>
          <p className={classes.text}>{say('text')}</p>
          <div className={classes.address}>
            <span className="faint">{say('baseUrl')}</span>
            <CopyText text={baseUrl} name={say('baseUrl')} />
          </div>
          <Button component={Link} to={user ? '/playground' : '/login'} variant="filled">
            {user ? say('playground') : say('login')}
          </Button>
        </div>
        <Snippet code={pythonSnippet(baseUrl)} />
      </section>
      <h2 className={classes.heading}>{say('speaks')}</h2>
      <ul className={`panel ${classes.dialects}`}>
        {dialects.map((dialect) => (
          <li key={dialect.path}>
            <strong className="strong">{say(dialect.word)}</strong>
            <code className="mono">{dialect.path}</code>
            <span className="muted">{say(dialect.text)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The operator's own home page where there is one, else what this site is and how to reach it. */
export const HomeScreen = () => {
  const content = useEndpoint(calls.getHomePageContent)
  if (content.isPending) return null
  return content.data ? <OperatorText text={content.data} /> : <Introduction />
}
