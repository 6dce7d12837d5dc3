"""The polling flow of the interface with the generated Python client."""

import sys
import time

from glosa_client import AuthenticatedClient
from glosa_client.api.catalogs import list_metrics, list_text_types
from glosa_client.api.reports import create_report, get_report
from glosa_client.models import ApiProblem, ReportRequest, ReportStatus

address, key = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key, timeout=30)
catalog = list_text_types.sync(client=client)
domain = catalog.domains[0]
request = ReportRequest(
    text="Le comunicamos que, con el fin de subsanar su solicitud, deberá aportar  el NIF.",
    domain_slug=domain.slug,
    text_type_slug=domain.text_types[0].slug,
    external_id="python",
)
created = create_report.sync_detailed(client=client, body=request, idempotency_key="python-flow")
assert created.status_code == 202, created
report_id = created.parsed.report_id
wait = int(created.headers["Retry-After"])
deadline = time.monotonic() + 180
while True:
    assert time.monotonic() < deadline, "no end within three minutes"
    time.sleep(wait)
    answer = get_report.sync_detailed(report_id, client=client)
    if answer.status_code == 429:
        wait = int(answer.headers["Retry-After"])
        continue
    assert answer.status_code == 200, answer
    report = answer.parsed
    if report.status not in (ReportStatus.QUEUED, ReportStatus.RUNNING):
        break
    wait = int(answer.headers["Retry-After"])
assert report.status == ReportStatus.COMPLETED, report
assert report.external_id == "python"
assert report.result.genre.domain.slug == domain.slug
assert report.result.measurements or report.result.recommendations
assert isinstance(get_report.sync("unknown", client=client), ApiProblem)
metrics = list_metrics.sync(client=client)
assert {metric.kind for metric in metrics.metrics} == {"measurement", "rule"}
print("python: completed", report_id)
