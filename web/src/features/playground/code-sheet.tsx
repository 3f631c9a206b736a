import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../components/markdown/code-block.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { useBaseUrl } from '../../lib/api/base-url.ts'
import type { PlaygroundRequest } from './calls/requests.ts'
import { codeSample, type SampleLanguage, sampleLanguages } from './code-samples.ts'
import { usePlaygroundMessages } from './messages.ts'

/** The conversation as curl, Python or JavaScript. */
export const CodeSheet = ({ request, onClose }: { request: PlaygroundRequest; onClose: () => void }) => {
  const say = usePlaygroundMessages()
  const baseUrl = useBaseUrl()
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  return (
    <Sheet opened onClose={onClose} title={say('code')} subtitle={say('codeText')} width={620}>
      <SegmentedControl
        mb={12}
        aria-label={say('code')}
        value={language}
        onChange={setLanguage}
        data={[...sampleLanguages]}
      />
      <CodeBlock code={codeSample(language, baseUrl, request)} language={language} />
    </Sheet>
  )
}
