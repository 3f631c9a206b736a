import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useShellMessages } from '../messages.ts'
import classes from './fireworks.module.css'
import { celebrated, isToCelebrate, isWriting } from './new-year.ts'

const lastsMs = 3000
const colours = ['#3fb8a6', '#e0a545', '#7fb0f5', '#f2757c', '#5cc98a']

interface Spark {
  x: number
  y: number
  dx: number
  dy: number
  colour: string
}

const burst = (width: number, height: number): Spark[] => {
  const x = width * (0.2 + Math.random() * 0.6)
  const y = height * (0.15 + Math.random() * 0.35)
  const colour = colours[Math.floor(Math.random() * colours.length)] ?? '#3fb8a6'
  return Array.from({ length: 60 }, (_, index) => {
    const angle = (index / 60) * Math.PI * 2
    const speed = 1 + Math.random() * 3.5
    return { x, y, dx: Math.cos(angle) * speed, dy: Math.sin(angle) * speed, colour }
  })
}

/** Draws until the time is over; answers with a function that stops early. */
const play = (canvas: HTMLCanvasElement, onEnd: () => void): (() => void) => {
  const pen = canvas.getContext('2d')
  canvas.width = window.innerWidth
  canvas.height = window.innerHeight
  let sparks: Spark[] = []
  let frame = 0
  let lastBurst = 0
  const begun = performance.now()
  const draw = (now: number): void => {
    if (!pen || now - begun > lastsMs) {
      onEnd()
      return
    }
    if (now - lastBurst > 350) {
      sparks = [...sparks.slice(-240), ...burst(canvas.width, canvas.height)]
      lastBurst = now
    }
    pen.clearRect(0, 0, canvas.width, canvas.height)
    for (const spark of sparks) {
      spark.x += spark.dx
      spark.y += spark.dy
      spark.dy += 0.05
      pen.fillStyle = spark.colour
      pen.fillRect(spark.x, spark.y, 2.5, 2.5)
    }
    frame = requestAnimationFrame(draw)
  }
  frame = requestAnimationFrame(draw)
  return () => cancelAnimationFrame(frame)
}

/**
 * Three seconds of fireworks on 1 January, once a year, after which the page reloads; a line of text where motion is
 * unwelcome and on later visits of the day.
 */
export const Fireworks = () => {
  const say = useShellMessages()
  const still = useReducedMotion()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [begun] = useState(() => isToCelebrate(new Date()))
  const [over, setOver] = useState(false)
  const plays = begun && !still && !over
  // The canvas, and the page around it.
  useEffect(() => {
    if (!plays || !canvas.current) return
    return play(canvas.current, () => {
      celebrated(new Date())
      setOver(true)
      if (!isWriting(document)) window.location.reload()
    })
  }, [plays])
  return plays ? <canvas ref={canvas} className={classes.sky} /> : <p className={classes.text}>{say('newYear')}</p>
}
