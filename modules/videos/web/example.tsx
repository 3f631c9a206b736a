import { CodeBlock } from '#web/components/markdown/code-block.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'
import classes from './videos.module.css'

const exampleFor = (address: string): string => `curl ${address}/v1/videos -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model":"sora-2","prompt":"A cat on a skateboard","seconds":"4"}'`

/** The first video, with curl. */
export const VideoExample = () => (
  <div className={classes.example}>
    <CodeBlock code={exampleFor(useSiteAddress())} language="bash" />
  </div>
)
