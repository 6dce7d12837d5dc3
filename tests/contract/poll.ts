// The polling flow of the interface with the generated TypeScript types.
import type { components, paths } from "./schema.js";

type Request = paths["/v1/reports"]["post"]["requestBody"]["content"]["application/json"];
type Accepted = components["schemas"]["ReportAccepted"];
type Report = components["schemas"]["Report"];
type Problem = components["schemas"]["ApiProblem"];

const [address, key] = process.argv.slice(2) as [string, string];
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
const wait = (seconds: string | null) => new Promise((done) => setTimeout(done, 1000 * Number(seconds ?? "1")));

const request: Request = {
  text: "The the company announced that, in order to improve access, it will open three branches.",
  language: "en",
  text_type_slug: "carta",
  external_id: "typescript",
};
const created = await fetch(`${address}/v1/reports`, { method: "POST", headers, body: JSON.stringify(request) });
if (created.status !== 202) throw new Error(((await created.json()) as Problem).detail);
const accepted = (await created.json()) as Accepted;
let pause = created.headers.get("Retry-After");
let report: Report;
for (;;) {
  await wait(pause);
  const answer = await fetch(new URL(accepted.status_url, address), { headers });
  pause = answer.headers.get("Retry-After");
  if (answer.status === 429) continue;
  if (answer.status !== 200) throw new Error(((await answer.json()) as Problem).detail);
  report = (await answer.json()) as Report;
  if (report.status !== "queued" && report.status !== "running") break;
}
if (report.status !== "completed" || !report.result) throw new Error(`ended as ${report.status}`);
const text = [...request.text];
for (const recommendation of report.result.recommendations ?? []) {
  for (const occurrence of recommendation.occurrences ?? []) {
    if (occurrence.start == null || occurrence.end == null) continue;
    const fragment = text.slice(occurrence.start, occurrence.end).join("");
    if (fragment !== occurrence.text) throw new Error(`${fragment} is not ${occurrence.text}`);
  }
}
console.log("typescript: completed", report.report_id);
